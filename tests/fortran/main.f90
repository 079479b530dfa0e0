program p
end program
